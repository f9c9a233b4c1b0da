import type { Contract } from '#lib/contracts/contract'
import { log } from '#lib/http/log'
import { type Changer, recordChange } from '#lib/services/workspaces/audit'

/**
 * For every door through which operations are done, once one succeeded. What was done is done: a log that cannot be written
 * must not have the caller do it again.
 */
export async function audit(
  who: Changer,
  contract: Contract,
  done: { params?: unknown; body?: unknown; result?: unknown; now: Date },
): Promise<void> {
  try {
    await recordChange(who, contract, done)
  } catch (error) {
    log().error(
      { operation: contract.id, workspace_id: who.workspace_id, err: error },
      'a change was not logged',
    )
  }
}
