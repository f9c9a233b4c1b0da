import { expect, test } from 'vitest'
import { signInPath } from '#lib/http/session-path'

test.each([
  [null, false, '/sign-in'],
  ['/', false, '/sign-in'],
  ['/home', false, '/sign-in'],
  ['/campaigns', false, '/sign-in?return_path=%2Fcampaigns'],
  [
    '/campaigns?status=active&page=2',
    false,
    '/sign-in?return_path=%2Fcampaigns%3Fstatus%3Dactive%26page%3D2',
  ],
  ['/home', true, '/sign-in?ended=1'],
  ['/inbox/1', true, '/sign-in?return_path=%2Finbox%2F1&ended=1'],
  ['//evil.example', false, '/sign-in'],
  ['https://evil.example/a', true, '/sign-in?ended=1'],
  ['/a/../..//evil.example', false, '/sign-in'],
])('whoever asks for %j (had a session: %s) signs in at %s', (from, hadSession, path) => {
  expect(signInPath(from, hadSession)).toBe(path)
})
