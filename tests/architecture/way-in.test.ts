import { expect, test } from 'vitest'
import { sources } from '#tests/support/code/source-files'

const house = sources().filter(({ file }) => /^(app|lib|scripts|inngest)\//.test(file))

test('sessions are opened in one place, so that no way in goes round a second factor', () => {
  const openers = house.filter(({ code }) =>
    /import [^;]*?\bopenSession\b[^;]*? from '#lib\/services\/workspaces\/sign-in\/sessions'/.test(code),
  )
  expect(openers.map(({ file }) => file)).toEqual(['lib/http/sign-in/sign-in-browser.ts'])
})

test('next-auth takes no passwords', () => {
  const doors = house.filter(({ code }) =>
    /from 'next-auth\/providers\/credentials'|type: 'credentials'/.test(code),
  )
  expect(doors.map(({ file }) => file)).toEqual([])
})
