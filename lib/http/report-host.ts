import { env } from '#lib/env'
import { isReportHost } from '#lib/services/domains/report-host'

/** Reports, and what they are drawn with. */
const SERVED = /^\/(r|_next|files\/logos)\//

type Asked = { host: string | null | undefined; method: string | undefined; pathname: string }

/**
 * Below a client's own host stand reports alone: no sign-in, no API, and nothing that a session could be taken from. They are
 * only read, so no action is called there under the name of a report either.
 */
export async function isHiddenOnReportHost({ host, method, pathname }: Asked): Promise<boolean> {
  const name = (host ?? '').toLowerCase().replace(/:\d+$/, '')
  if (name === new URL(env().APP_URL).hostname || !(await isReportHost(name))) return false
  return (method !== 'GET' && method !== 'HEAD') || !SERVED.test(pathname)
}
