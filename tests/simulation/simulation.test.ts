import { expect, inject, test } from 'vitest'
import { simulateOn } from '#tests/simulation/run'

const SEEDS = 150

test(`${SEEDS} seeded worlds keep every promise: crashes, refusals, replies, edits and all`, async () => {
  const report = await simulateOn(inject('postgres'), { from: 1, count: SEEDS, workers: 2 })
  expect(report.failed, report.output).toBe(0)
  expect(report.held).toBe(SEEDS)
}, 1_800_000)
