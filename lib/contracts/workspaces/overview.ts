import { z } from 'zod'
import { contract } from '#lib/contracts/contract'
import { id, listEnvelope, optionalText, paging } from '#lib/contracts/fields'
import { PAUSE_REASONS } from '#lib/domain/campaigns/pause-reasons'
import { ROLES } from '#lib/domain/workspaces/roles'

const Figures = z.object({
  sent: z.int(),
  contacted: z.int().describe('People who were contacted.'),
  replied: z.int().describe('People who replied.'),
  reply_rate: z
    .number()
    .nullable()
    .describe('`replied` of `contacted`, at most 1; null if nobody was contacted.'),
})

const Waiting = z.object({
  unanswered_threads: z.int().describe('Conversations in the inbox’s folder `needs_answer`.'),
  failed_launches: z.int(),
  paused: z
    .array(z.object({ reason: z.enum(PAUSE_REASONS), campaigns: z.int() }))
    .describe('Campaigns paused automatically, by reason. `bounce_rate`: too many bounces.'),
  mailboxes: z.int().describe('Mailboxes that cannot send or cannot be read.'),
  accounts: z.int().describe('Connected accounts that are failing or need to be reconnected.'),
})

export const WorkspaceOverview = z
  .object({
    workspace_id: id(),
    parent_workspace_id: id()
      .nullable()
      .describe('The workspace above it. Null if there is none or you are not in it.'),
    name: z.string(),
    slug: z.string().describe('`/w/{slug}/…` opens a page in it.'),
    role: z.enum(ROLES).describe('Yours in it.'),
    last_7_days: Figures,
    last_30_days: Figures,
    waiting: Waiting.nullable().describe('What needs attention. Null where you are a client.'),
  })
  .meta({ id: 'WorkspaceOverview' })
export type WorkspaceOverview = z.output<typeof WorkspaceOverview>

export const ListWorkspaceOverviews = contract({
  id: 'listWorkspaceOverviews',
  method: 'GET',
  path: '/workspaces/overview',
  tag: 'Workspaces',
  errors: 'flat',
  summary: 'Compare your workspaces',
  description:
    'Results of the last 7 and 30 days in each of your workspaces, and what needs attention, sorted by urgency. Children are listed below their parent, positioned by the most urgent of them. Where you are a client, figures cover only your campaigns. An API key gets only its own workspace.',
  query: z.object({ ...paging, search: optionalText(100).describe('Part of a name or slug.') }),
  response: listEnvelope(WorkspaceOverview),
  status: 200,
  scope: 'read',
  role: 'client',
})
