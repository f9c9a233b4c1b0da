import { env } from '#lib/env'

const LOOPBACK = /^(?:127(?:\.\d{1,3}){3}|::1|::ffff:127(?:\.\d{1,3}){3}|localhost)$/i

/** Whether only this machine reaches a host, given as in HOST, a Host header, a peer address or a URL. */
export const isLoopback = (host: string): boolean => LOOPBACK.test(host.replace(/^\[|\]$/g, ''))

type Reach = { HOST?: string | undefined; APP_URL: string; TRACKING_URL?: string | undefined }

/**
 * Whether only this machine can reach the instance: it listens on loopback, and its public addresses are loopback too (they are not
 * behind a proxy). Without HOST it is assumed to be reachable from outside.
 */
export function isLocalOnly({ HOST = '', APP_URL, TRACKING_URL }: Reach = env()): boolean {
  const told = [APP_URL, TRACKING_URL].filter((url) => url !== undefined)
  return isLoopback(HOST) && told.every((url) => isLoopback(new URL(url).hostname))
}

/** Whether the development pages under /dev are served. */
export const devPagesAreOpen = ({ NODE_ENV, ALLOW_DEV_PAGES } = env()): boolean =>
  NODE_ENV === 'development' || ALLOW_DEV_PAGES
