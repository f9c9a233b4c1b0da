/** A failure that its message explains fully: shown as that one sentence, without a stack. */
export class Trouble extends Error {}

/** One sentence for the person who started us; a stack only for unforeseen failures. */
export function explain(error: unknown, dataFolder: string): string {
  if (!(error instanceof Error)) return String(error)
  const code = 'code' in error ? String(error.code) : ''
  if (code === 'ENOSPC' || /ENOSPC|No space left on device|disk is full/.test(error.message)) {
    return `The disk is full: no room left for ${dataFolder} or the build.`
  }
  if ((code === 'EACCES' || code === 'EPERM' || code === 'EROFS') && 'path' in error) {
    return `Cannot write ${error.path}: choose a folder you own with DATA_DIR, or fix its permissions.`
  }
  // Node's codes for a folder whose parent is missing or not writable.
  if (code === 'ENOENT' && 'syscall' in error && error.syscall === 'mkdir' && 'path' in error)
    return `Cannot make ${error.path}: choose another folder with DATA_DIR, or make the one above it writable.`
  if (code === 'ENOTDIR' || code === 'EEXIST') return `${dataFolder} is not a folder: set DATA_DIR to one.`
  if (error instanceof Trouble || /embedded Postgres|already in use|Migration /.test(error.message)) {
    return error.message
  }
  return error.stack ?? error.message
}
