import { env } from '#lib/env'
import { isReportHost } from '#lib/services/domains/report-host'

/** The paths of reports and their assets. */
const SERVED = /^\/(r|_next|files\/logos)\//

type Asked = { host: string | null | undefined; method: string | undefined; pathname: string }

/**
 * A client's own host serves only reports: no sign-in, no API, nothing that could expose a session. Reports are read-only, so
 * every method but GET and HEAD is hidden there too.
 */
export async function isHiddenOnReportHost({ host, method, pathname }: Asked): Promise<boolean> {
  const name = (host ?? '').toLowerCase().replace(/:\d+$/, '')
  if (name === new URL(env().APP_URL).hostname || !(await isReportHost(name))) return false
  return (method !== 'GET' && method !== 'HEAD') || !SERVED.test(pathname)
}
