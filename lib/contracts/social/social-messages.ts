import { z } from 'zod'
import { contract } from '#lib/contracts/contract'
import { id, text } from '#lib/contracts/fields'

const TARGETS = ['chat_id', 'provider_id', 'identifier'] as const
const target = () => text(1, 500).nullish()

const Body = z
  .object({
    account_id: id(),
    text: text(1, 8_000),
    chat_id: target().describe('Continue this chat.'),
    provider_id: target().describe('The person’s id on the network.'),
    identifier: target().describe('A public handle or the address of a profile.'),
  })
  .refine((body) => TARGETS.filter((name) => body[name]).length === 1, {
    message: 'give exactly one of chat_id, provider_id and identifier',
    path: ['chat_id'],
  })

export const SendSocialMessage = contract({
  id: 'sendSocialMessage',
  method: 'POST',
  path: '/social/message',
  tag: 'Connected accounts',
  errors: 'legacy',
  summary: 'Send a direct message',
  description:
    'Set exactly one recipient: a chat, a person’s id or a handle. If the network refuses the message, the response is 200 with `success: false` and `error`. A message with an unknown outcome is `success: false` too, and is not sent again automatically; the inbox shows it. Somebody on the suppression list, by profile, phone number or a lead’s address, can be answered in a chat they wrote in, but not contacted otherwise: `success: false`. Campaign leads already started with the person get nothing more (`skipped`, `written_by_hand`).',
  example: {
    body: {
      account_id: '0198f2a4-7b1c-7e3d-9a5f-2c4b6d8e0f13',
      identifier: 'ada-lovelace',
      text: 'Hello Ada, a word about the engine?',
    },
  },
  body: Body,
  response: z.object({
    success: z.boolean(),
    data: z.object({ chat_id: z.string().nullable(), message_id: z.string().nullable() }).nullable(),
    error: z.string().nullable(),
  }),
  status: 200,
  scope: 'send',
  changes: ['account_id'],
  refusals: [404, 503],
  destructive: true,
})
