import { type } from 'arktype'
import type { Code } from '#schemas/code-table.ts'

/** The ArkType schema of a code in a table: `codeSchema(QuickReportType)`. */
export const codeSchema = <T extends { options: readonly { code: string }[] }>(table: T) =>
  type.enumerated(...table.options.map(({ code }) => code as Code<T>))
