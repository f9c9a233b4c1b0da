import type { z } from 'zod'
import type { PasskeyRequest as Request, StartPasskey } from '#lib/contracts/workspaces/passkeys'

export type PasskeyRequest = z.output<typeof Request>
export type NewPasskeyRequest = z.output<typeof StartPasskey.response>

/** Passkeys belong to a name: under a bare address of the network there are none, nor where the connection is not safe. */
export const canUsePasskeys = (): boolean =>
  typeof PublicKeyCredential === 'function' && window.isSecureContext && !isBareAddress(location.hostname)

const isBareAddress = (host: string): boolean =>
  host.startsWith('[') || host.split('.').every((part) => part !== '' && Number.isInteger(Number(part)))
