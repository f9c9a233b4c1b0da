import { env } from '#lib/env'

const LOOPBACK = /^(?:127(?:\.\d{1,3}){3}|::1|::ffff:127(?:\.\d{1,3}){3}|localhost)$/i

/** Names and addresses that only this machine reaches, as HOST, a Host header, an address of a peer or a URL has them. */
export const isLoopback = (host: string): boolean => LOOPBACK.test(host.replace(/^\[|\]$/g, ''))

type Reach = { HOST?: string | undefined; APP_URL: string; TRACKING_URL?: string | undefined }

/**
 * Whether nobody but this machine reaches the instance: it listens there alone, and nothing is told that it was anywhere
 * else, as it is where a proxy stands before it. Where nobody said on what it listens, it is taken to be open.
 */
export function isLocalOnly({ HOST = '', APP_URL, TRACKING_URL }: Reach = env()): boolean {
  const told = [APP_URL, TRACKING_URL].filter((url) => url !== undefined)
  return isLoopback(HOST) && told.every((url) => isLoopback(new URL(url).hostname))
}

/** Whether the pages for whoever builds screens are shown. */
export const devPagesAreOpen = ({ NODE_ENV, ALLOW_DEV_PAGES } = env()): boolean =>
  NODE_ENV === 'development' || ALLOW_DEV_PAGES
