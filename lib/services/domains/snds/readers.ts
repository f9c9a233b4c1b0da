import { env } from '#lib/env'
import { createSnds, SNDS_ORIGIN } from '#lib/providers/snds/microsoft'
import type { SndsReader } from '#lib/providers/snds/port'
import { sandboxSnds } from '#lib/providers/snds/sandbox'
import { hasSandbox } from '#lib/services/senders/sandbox'

/** The key of the sandbox, whose figures are made up. */
export const SANDBOX_KEY = 'sandbox'

export type FindSnds = (key: string) => SndsReader

export const findSnds: FindSnds = (key) => {
  if (key === SANDBOX_KEY && hasSandbox()) return sandboxSnds
  const policy = { allow_private_hosts: env().ALLOW_PRIVATE_HOSTS }
  return createSnds({ origin: SNDS_ORIGIN, outbound: { policy } })
}
