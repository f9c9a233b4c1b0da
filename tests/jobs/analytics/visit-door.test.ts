import { afterEach, expect, test } from 'vitest'
import { db } from '#lib/db/client'
import { dispatchAt, FIRST, launched, MONDAY } from '#tests/support/scenes/launched'
import { findVisit } from '../../../app/(public)/t/door.ts'

afterEach(async () => {
  await db.campaign.deleteMany()
})

const TRACKED = {
  ...FIRST,
  message_template: '<p><a href="https://one.test/">one</a></p>',
  track_opens: true,
  track_clicks: true,
}

test('past the framework an open and a click are answered, and kept', async () => {
  const { campaign_id } = await launched({ steps_config: [TRACKED] }, 1)
  const [mail] = (await dispatchAt(MONDAY)).outbox
  const paths = [...(mail?.html ?? '').matchAll(/http:\/\/opener\.test(\/t\/[oc]\/[^"]+)"/g)].map(
    ([, path = '']) => path,
  )
  expect(paths).toHaveLength(2)
  const headers = { 'user-agent': 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0' }
  const answers = paths.map((path) =>
    findVisit(path, 'GET')?.handlers.GET(new Request(`http://opener.test${path}`, { headers }), {
      params: Promise.resolve({}),
    }),
  )
  const statuses = (await Promise.all(answers)).map((answer) => answer?.status)
  expect(statuses.toSorted()).toEqual([200, 302])
  const kept = await db.trackingEvent.findMany({ where: { campaign_id } })
  expect(kept.map(({ kind }) => kind).toSorted()).toEqual(['click', 'open'])
})

test.each([
  ['GET', '/t'],
  ['GET', '/t/o/'],
  ['GET', '/t/x/abc'],
  ['GET', '/t/o/abc/def'],
  ['GET', '/t/o/a%2egif'],
  ['POST', '/t/o/abc.gif'],
])('leaves %s %s to the framework', (method, path) => {
  expect(findVisit(path, method)).toBeNull()
})
