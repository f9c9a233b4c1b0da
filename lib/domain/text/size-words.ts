const MIB = 1024 * 1024

/** A file size in words: 1 KB, 293 KB, 1.5 MB. */
export const sizeWords = (bytes: number): string =>
  bytes < MIB ? `${Math.ceil(bytes / 1024)} KB` : `${(bytes / MIB).toFixed(1).replace(/\.0$/, '')} MB`
