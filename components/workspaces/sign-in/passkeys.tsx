import type { z } from 'zod'
import type { PasskeyRequest as Request, StartPasskey } from '#lib/contracts/workspaces/passkeys'

export type PasskeyRequest = z.output<typeof Request>
export type NewPasskeyRequest = z.output<typeof StartPasskey.response>

/** Passkeys belong to a host name: they do not work under an IP address or without a secure connection. */
export const canUsePasskeys = (): boolean =>
  typeof PublicKeyCredential === 'function' && window.isSecureContext && !isBareAddress(location.hostname)

const isBareAddress = (host: string): boolean =>
  host.startsWith('[') || host.split('.').every((part) => part !== '' && Number.isInteger(Number(part)))
