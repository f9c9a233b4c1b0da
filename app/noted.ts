import type { Contract } from '#lib/contracts/contract'
import { log } from '#lib/http/log'
import { recordChange } from '#lib/services/audit'

/** For server actions: keeps in the audit log that the signed-in person has done what the operation does. */
export async function noted(
  user: { user_id: string },
  contract: Contract,
  params?: Record<string, string>,
  result?: unknown,
): Promise<void> {
  try {
    await recordChange({ ...user, credential: 'jwt' }, contract, { params, result, now: new Date() })
  } catch (error) {
    // What was done is done; the person must not be led to do it again.
    log().error({ operation: contract.id, user_id: user.user_id, err: error }, 'a change was not logged')
  }
}
