import type { ErrorLogEntry } from './error-log-entry.ts'

/** The log as the text that is sent. */
export const errorLogText = (entries: readonly ErrorLogEntry[]): string =>
  entries
    .map((entry) =>
      Object.entries(entry)
        .map(([name, text]) => `${name}: ${text}`)
        .join('\n'),
    )
    .join('\n\n')
