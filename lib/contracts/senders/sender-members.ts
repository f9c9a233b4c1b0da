import { z } from 'zod'
import { contract } from '#lib/contracts/contract'
import { dateTime, id, listEnvelope, paging, pathId } from '#lib/contracts/fields'
import { CAMPAIGN_STATUSES } from '#lib/domain/campaigns/campaign-status'

/** Somebody who may send from a mailbox or act from an account. */
export const SenderMember = z
  .object({
    user_id: id(),
    name: z.string(),
    email: z.string(),
    campaigns: z
      .array(z.object({ campaign_id: id(), name: z.string(), status: z.enum(CAMPAIGN_STATUSES) }))
      .describe(
        'Of theirs that are launched, not over, and may use it. They go on if it is taken away, but do not resume.',
      ),
    created_at: dateTime().describe('When it was given to them.'),
  })
  .meta({ id: 'SenderMember' })
export type SenderMember = z.output<typeof SenderMember>

const SenderMembers = listEnvelope(SenderMember)
const query = z.object(paging)
const mailbox = z.object({ mailbox_id: pathId() })
const account = z.object({ account_id: pathId() })
const member = { user_id: pathId() }

const TAKEN =
  'They cannot launch or resume a campaign with it from now on. Campaigns that run go on: pause them to stop them. Taking away what was not given changes nothing.'

export const ListMailboxMembers = contract({
  id: 'listMailboxMembers',
  method: 'GET',
  path: '/mail/mailboxes/{mailbox_id}/members',
  tag: 'Mailboxes',
  errors: 'flat',
  summary: 'List whom a mailbox is given to',
  description: 'Admins and owners use every mailbox and need not be listed.',
  params: mailbox,
  query,
  response: SenderMembers,
  status: 200,
  scope: 'read',
  refusals: [404],
})

export const GiveMailbox = contract({
  id: 'giveMailbox',
  method: 'PUT',
  path: '/mail/mailboxes/{mailbox_id}/members/{user_id}',
  tag: 'Mailboxes',
  errors: 'flat',
  summary: 'Give a mailbox to a member',
  description: 'Their campaigns may send from it. Giving it twice changes nothing.',
  params: mailbox.extend(member),
  response: SenderMember,
  status: 200,
  scope: 'write',
  refusals: [404],
})

export const TakeMailbox = contract({
  id: 'takeMailbox',
  method: 'DELETE',
  path: '/mail/mailboxes/{mailbox_id}/members/{user_id}',
  tag: 'Mailboxes',
  errors: 'flat',
  summary: 'Take a mailbox away from a member',
  description: TAKEN,
  params: mailbox.extend(member),
  response: null,
  status: 204,
  scope: 'write',
  refusals: [404],
  destructive: true,
})

export const ListAccountMembers = contract({
  id: 'listAccountMembers',
  method: 'GET',
  path: '/connected-accounts/{account_id}/members',
  tag: 'Connected accounts',
  errors: 'flat',
  summary: 'List whom an account is given to',
  description: 'Admins and owners use every account and need not be listed.',
  params: account,
  query,
  response: SenderMembers,
  status: 200,
  scope: 'read',
  refusals: [404],
})

export const GiveAccount = contract({
  id: 'giveAccount',
  method: 'PUT',
  path: '/connected-accounts/{account_id}/members/{user_id}',
  tag: 'Connected accounts',
  errors: 'flat',
  summary: 'Give an account to a member',
  description: 'Their campaigns may act from it. Giving it twice changes nothing.',
  params: account.extend(member),
  response: SenderMember,
  status: 200,
  scope: 'write',
  refusals: [404],
})

export const TakeAccount = contract({
  id: 'takeAccount',
  method: 'DELETE',
  path: '/connected-accounts/{account_id}/members/{user_id}',
  tag: 'Connected accounts',
  errors: 'flat',
  summary: 'Take an account away from a member',
  description: TAKEN,
  params: account.extend(member),
  response: null,
  status: 204,
  scope: 'write',
  refusals: [404],
  destructive: true,
})
