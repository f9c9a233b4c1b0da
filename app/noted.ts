import type { Contract } from '#lib/contracts/contract'
import { audit } from '#lib/http/audit'

/** For server actions: keeps in the audit log that the signed-in person has done what the operation does. */
export const noted = (
  user: { user_id: string },
  contract: Contract,
  params?: Record<string, string>,
  result?: unknown,
): Promise<void> => audit({ ...user, credential: 'jwt' }, contract, { params, result, now: new Date() })
