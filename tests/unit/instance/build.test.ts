import { expect, test } from 'vitest'
import { Env } from '#lib/env'
import { onlyOfTheHost } from '#scripts/up/build'

test('a build is given nothing of the instance that asks for it', async () => {
  const instance = Object.fromEntries(Object.keys(Env.shape).map((name) => [name, 'of the instance']))
  const host = { PATH: '/usr/bin', HOME: '/home/ana', HTTPS_PROXY: 'http://proxy.test', NEXT_PUBLIC_X: '1' }
  expect(await onlyOfTheHost({ ...instance, ...host, NODE_ENV: 'production' })).toEqual(host)
})
