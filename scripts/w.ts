import { worldOf } from '#tests/simulation/world'
console.log(JSON.stringify(worldOf(Number(process.argv[2])), null, 1))
