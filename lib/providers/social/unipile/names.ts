import { SOCIAL_NETWORKS, type SocialNetwork } from '#lib/providers/social/port'

const NETWORKS: readonly string[] = SOCIAL_NETWORKS
export const isNetwork = (type: string): type is SocialNetwork => NETWORKS.includes(type)

/** The API accepts handles and ids, not profile addresses. */
export function readHandle(identifier: string): string {
  if (!identifier.includes('/')) return identifier.replace(/^@/, '')
  const path = identifier.replace(/^[a-z]+:\/\//i, '').split(/[?#]/)[0] ?? ''
  return decodeURIComponent(
    path
      .replace(/(?<!\/)\/+$/, '')
      .split('/')
      .at(-1) ?? '',
  )
}
