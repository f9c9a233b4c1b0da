import { expect, test } from 'vitest'
import { mayRename, savesSentItself } from '#lib/domain/domains/sent-folders'
import { graphOrigin, graphUploads, MICROSOFT_CLOUDS, microsoft } from '#lib/providers/mail-oauth/vendors'

const SIGN_IN = {
  global: 'https://login.microsoftonline.com',
  us: 'https://login.microsoftonline.us',
  dod: 'https://login.microsoftonline.us',
  china: 'https://login.partner.microsoftonline.cn',
}
const GRAPH = {
  global: 'https://graph.microsoft.com',
  us: 'https://graph.microsoft.us',
  dod: 'https://dod-graph.microsoft.us',
  china: 'https://microsoftgraph.chinacloudapi.cn',
}

test.each(MICROSOFT_CLOUDS)('%s: signs in, asks and is asked in its own cloud alone', (cloud) => {
  const top = new URL(SIGN_IN[cloud]).hostname.split('.').at(-1)
  const [smtp, api] = [microsoft('tenant-1', cloud), microsoft('tenant-1', cloud, 'api')]
  expect(smtp.endpoints.token_endpoint).toBe(`${SIGN_IN[cloud]}/tenant-1/oauth2/v2.0/token`)
  expect(api.endpoints).toEqual(smtp.endpoints)
  expect(api.needed_scopes).toEqual([`${GRAPH[cloud]}/Mail.ReadWrite`, `${GRAPH[cloud]}/Mail.Send`])
  expect(graphOrigin(cloud)).toBe(GRAPH[cloud])
  const hosts = [
    ...smtp.needed_scopes.map((scope) => new URL(scope).hostname),
    ...graphUploads(cloud).map((origin) => new URL(origin).hostname),
    smtp.servers.smtp.host,
    smtp.servers.imap?.host ?? '',
  ]
  expect(hosts.map((host) => host.split('.').at(-1))).toEqual(hosts.map(() => top))
  // The server saves sent mail to Sent itself, under a Message-ID of its own.
  expect([savesSentItself(smtp.servers.smtp.host), mayRename(smtp.servers.smtp.host)]).toEqual([true, true])
})
