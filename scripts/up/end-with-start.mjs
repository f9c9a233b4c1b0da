import './die-with-parent.mjs'

// Workers that a build forks get its flags. With this one they would let go of the channel to the build, and end before they did anything.
const at = process.execArgv.findIndex((flag) => flag.endsWith('/end-with-start.mjs'))
process.execArgv.splice(at - 1, 2)
