import pino, { type Logger } from 'pino'
import { env } from '#lib/env'
import { logOutput } from '#lib/log-output'

let logger: Logger | undefined

/** JSON lines on stdout. Fields that could carry a secret are redacted. */
export function log(): Logger {
  logger ??= pino(
    {
      level: env().LOG_LEVEL,
      redact: {
        paths: ['*.authorization', '*.cookie', '*.password', '*.key', '*.token'],
        censor: '[secret]',
      },
    },
    logOutput(),
  )
  return logger
}
