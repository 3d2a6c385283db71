type Entries = Readonly<Record<string, readonly [code: string, label: string]>>
type CodeIn<E extends Entries> = E[keyof E][0]

/**
 * A code table: the CRM's codes and their Japanese labels (spec 3). `code.<name>` is a code, `options` lists all
 * codes for a form. The ArkType schema of a code is in `declare/derive.ts`, because the first screen needs labels but
 * not ArkType.
 */
/* @__NO_SIDE_EFFECTS__ */
export function codeTable<const E extends Entries>(entries: E) {
  const rows = Object.values(entries)
  const labels = new Map<string, string>(rows)
  return {
    code: Object.fromEntries(Object.entries(entries).map(([name, [code]]) => [name, code])) as {
      readonly [N in keyof E]: E[N][0]
    },
    options: rows.map(([code, label]) => ({ code: code as CodeIn<E>, label })),
    /** The label of a code. An unknown code is shown as it is. */
    label: (code: string) => labels.get(code) ?? code,
    has: (code: unknown): code is CodeIn<E> => typeof code === 'string' && labels.has(code),
  }
}

/** The codes of a table as a type: `Code<typeof QuickReportType>`. */
export type Code<T extends { options: readonly { code: string }[] }> = T['options'][number]['code']
