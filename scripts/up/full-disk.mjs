// Loaded into each process: if its output is a file on a full disk, a line is lost and the process goes on.
for (const output of [process.stdout, process.stderr]) output.on('error', () => undefined)
