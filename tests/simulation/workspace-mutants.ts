import { type Mutant, next, told } from '#tests/simulation/mutant'

/** Data of one workspace that is taken for everybody's. */
export const WORKSPACE_MUTANTS: Mutant[] = [
  next(
    'a campaign sends from mailboxes of every workspace',
    'lib/services/senders/mailbox-rows.ts',
    'WHERE m.workspace_id = $1 AND (',
    'WHERE $1::uuid IS NOT NULL AND (',
  ),
  next(
    'the list of one workspace holds back the leads of others',
    'lib/services/sending/waiting-leads.ts',
    's.workspace_id = l.workspace_id',
    's.workspace_id IS NOT NULL',
  ),
  next(
    'whom one workspace may not write to, no other may',
    'lib/services/leads/endings.ts',
    'l.workspace_id = ANY',
    'l.workspace_id >= ANY',
  ),
  next(
    'the list of a parent holds for workspaces that are not its children',
    'lib/services/leads/suppression-reach.ts',
    'c.parent_workspace_id = own.workspace_id',
    'c.workspace_id <> own.workspace_id',
  ),
  told(
    'tests/jobs/leads/parent-suppressions',
    'a claim asks the list of the workspace alone',
    'lib/services/sending/waiting-leads.ts',
    'FROM effective_suppressions',
    'FROM suppressions',
  ),
  next(
    'an answer is looked for in every workspace',
    'lib/services/inbox/match.ts',
    'named.id)\n       WHERE a.workspace_id = $1',
    'named.id)\n       WHERE $1::uuid IS NOT NULL',
  ),
]
