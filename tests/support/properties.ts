import fc from 'fast-check'

// A suite that judges a change asks the same each time. PROPERTY_SEED asks elsewhere, PROPERTY_RUNS more often.
fc.configureGlobal({
  seed: Number(process.env.PROPERTY_SEED ?? 20_261_121),
  numRuns: Number(process.env.PROPERTY_RUNS ?? 100),
})
