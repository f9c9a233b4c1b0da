import fc from 'fast-check'

// The suite uses a fixed seed, so that it tests the same cases for each change. PROPERTY_SEED sets another one, PROPERTY_RUNS the number of
// runs.
fc.configureGlobal({
  seed: Number(process.env.PROPERTY_SEED ?? 20_261_121),
  numRuns: Number(process.env.PROPERTY_RUNS ?? 100),
})
