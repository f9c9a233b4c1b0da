import './die-with-parent.mjs'

// Workers that a build forks inherit its flags. With this one they would close their channel to the build and end at once.
const at = process.execArgv.findIndex((flag) => flag.endsWith('/end-with-start.mjs'))
process.execArgv.splice(at - 1, 2)
