import * as fs from 'node:fs'
import { expect, test } from 'vitest'
import { serveMetrics } from '#lib/http/metrics'
import { countRequest, countSend, timedProvider } from '#lib/metrics'

process.env.METRICS_TOKEN = 'a-token-of-the-tests'
const dashboard = fs.readFileSync('docs/monitoring/grafana.json', 'utf8')
const alerts = fs.readFileSync('docs/monitoring/alerts.yml', 'utf8')

const named = (text: string) =>
  new Set([...text.matchAll(/\b(?:opener|process|nodejs)_[a-z_]+\b/g)].map(([name]) => name))

test.each([
  ['the dashboard', dashboard],
  ['the alert rules', alerts],
])('%s name metrics that there are', async (_, text) => {
  countRequest({ operation: 'x', method: 'GET', status: 200 }, 0.1)
  countSend('email', 'accepted')
  await timedProvider('smtp', async () => undefined)
  const headers = { authorization: `Bearer ${process.env.METRICS_TOKEN}` }
  const metrics = await (await serveMetrics(new Request('http://x/metrics', { headers }))).text()
  const known = new Set([...metrics.matchAll(/^# TYPE (\S+)/gm)].map(([, name]) => name))
  // No sweep has run here yet, and no engine.
  const later = ['opener_last_sweep_timestamp_seconds', 'opener_engine_jobs_due', 'opener_engine_runs_open']
  const names = [...named(text)].map((name) => name.replace(/_(bucket|sum|count)$/, ''))
  expect(names.length).toBeGreaterThan(8)
  expect(names.filter((name) => !known.has(name) && !later.includes(name))).toEqual([])
  const declared = fs.readFileSync('lib/http/metrics.ts', 'utf8')
  expect(later.filter((name) => !declared.includes(name))).toEqual([])
})

test('each panel asks something, and each alert says what is wrong', () => {
  const { panels } = JSON.parse(dashboard) as { panels: { title: string; targets: { expr: string }[] }[] }
  expect(panels.filter(({ targets }) => targets.length === 0 || targets.some(({ expr }) => !expr))).toEqual(
    [],
  )
  const count = (what: RegExp) => alerts.match(what)?.length
  expect(count(/- alert:/g)).toBe(count(/summary:/g))
})
