import { freePort } from '#lib/db/free-port'
import { keepRunning } from '#scripts/up/child'
import { WEB_ARGS } from '#scripts/up/services'

/**
 * A second web process beside the suite's instance: the same build and database, but with open sign-up, which
 * an instance with an identity provider does not offer. Returns its address, and a function that stops it.
 */
export async function openWeb(): Promise<{ url: string; stop(): Promise<void> }> {
  const port = await freePort()
  const url = `http://127.0.0.1:${port}`
  const own = { PORT: `${port}`, APP_URL: url, NEXTAUTH_URL: url, ALLOW_SIGN_UP: '1' }
  const noProvider = { OIDC_ISSUER: '', OIDC_CLIENT_ID: '', OIDC_CLIENT_SECRET: '' }
  const web = await keepRunning(
    {
      name: 'open web',
      args: WEB_ARGS,
      env: { ...process.env, ...own, ...noProvider },
      log: null,
      isReady: () =>
        fetch(`${url}/api/v1/health`).then(
          () => true,
          () => false,
        ),
    },
    { say: console.log, changed: () => undefined },
  )
  return { url, stop: web.stop }
}
