import type { Contract } from '#lib/contracts/contract'
import { log } from '#lib/http/log'
import { type Changer, recordChange } from '#lib/services/workspaces/audit'

/**
 * Called after every successful operation. A log entry that cannot be written does not fail the call: the caller would repeat what
 * was already done.
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
