import { z } from 'zod'
import { contract } from '#lib/contracts/contract'
import { dateTime, id, listEnvelope, paging, pathId } from '#lib/contracts/fields'
import { CAMPAIGN_STATUSES } from '#lib/domain/campaigns/campaign-status'

/** A member who may send from a mailbox or act through an account. */
export const SenderMember = z
  .object({
    user_id: id(),
    name: z.string(),
    email: z.string(),
    campaigns: z
      .array(z.object({ campaign_id: id(), name: z.string(), status: z.enum(CAMPAIGN_STATUSES) }))
      .describe(
        'Their launched campaigns that can use it. If it is taken away, they continue but cannot be resumed.',
      ),
    created_at: dateTime().describe('When they got access.'),
  })
  .meta({ id: 'SenderMember' })
export type SenderMember = z.output<typeof SenderMember>

const SenderMembers = listEnvelope(SenderMember)
const query = z.object(paging)
const mailbox = z.object({ mailbox_id: pathId() })
const account = z.object({ account_id: pathId() })
const member = { user_id: pathId() }

const TAKEN =
  'They can no longer launch or resume a campaign with it. Running campaigns continue; pause them to stop them. Does nothing if they have no access.'

export const ListMailboxMembers = contract({
  id: 'listMailboxMembers',
  method: 'GET',
  path: '/mail/mailboxes/{mailbox_id}/members',
  tag: 'Mailboxes',
  errors: 'flat',
  summary: 'List members with access to a mailbox',
  description: 'Admins and owners can use every mailbox and are not listed.',
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
  description: 'Their campaigns can send from it. Does nothing if they already have access.',
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
  summary: 'Remove a mailbox from a member',
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
  summary: 'List members with access to an account',
  description: 'Admins and owners can use every account and are not listed.',
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
  description: 'Their campaigns can use it. Does nothing if they already have access.',
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
  summary: 'Remove an account from a member',
  description: TAKEN,
  params: account.extend(member),
  response: null,
  status: 204,
  scope: 'write',
  refusals: [404],
  destructive: true,
})
