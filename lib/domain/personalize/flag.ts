export const FLAG_CODES = [
  'empty',
  'too_long',
  'claim_without_source',
  'claim_not_in_text',
  'number_without_source',
  'date_without_source',
  'name_without_source',
  'link_without_source',
  'placeholder',
  'wrong_greeting',
  'other_lead',
  'banned_phrase',
  'pretence',
  'cell_gives_orders',
] as const
export type Flag = { code: (typeof FLAG_CODES)[number]; message: string }

export const flag = (code: Flag['code'], message: string): Flag => ({ code, message })
