import { expect } from 'vitest'
import { dsn, judge, LEAD } from '#tests/support/scenes/inbound-mail'

export type Report = {
  name: string
  from: string
  subject: string
  text: string
  report: string
  expected: object
  returned?: string | null
  returned_type?: string
  headers?: string
  status_type?: string
}

export const hard = (status: string, blames = 'recipient') => ({
  severity: 'hard',
  is_final: true,
  blames,
  status,
})
export const soft = (status: string) => ({ severity: 'soft', is_final: true, status })
export const delayed = { severity: 'soft', is_final: false }
export const failed = (status: string, code: string, final = `rfc822; ${LEAD}`) =>
  `Reporting-MTA: dns; mx.test\n\nFinal-Recipient: ${final}\nAction: failed\nStatus: ${status}\nDiagnostic-Code: ${code}`

/** Parses and classifies a report, and checks what it says and about which mail. */
export async function judged({ expected, ...mail }: Report) {
  const { reading, kind, match } = await judge(dsn(mail))
  expect(reading.bounce).toMatchObject(expected)
  expect(kind).toBe(reading.bounce?.severity === 'hard' ? 'hard_bounce' : 'soft_bounce')
  expect(match?.how).toBe(mail.returned === null ? 'recipient' : 'message_id')
  expect(reading.evidence).not.toEqual([])
}
