type Entries = Readonly<Record<string, readonly [code: string, label: string]>>
type CodeIn<E extends Entries> = E[keyof E][0]

/**
 * One code table: the CRM's codes and their Japanese labels, written once (spec 3). `code.<name>` names a code in
 * program text; `options` lists them for a form; `codeSchema(table)` parses one (in a file of its own, because the
 * first screen needs labels and not ArkType).
 */
// the build leaves out a table that nothing uses
/* @__NO_SIDE_EFFECTS__ */
export function codeTable<const E extends Entries>(entries: E) {
  const rows = Object.values(entries)
  const labels = new Map<string, string>(rows)
  return {
    code: Object.fromEntries(Object.entries(entries).map(([name, [code]]) => [name, code])) as {
      readonly [N in keyof E]: E[N][0]
    },
    options: rows.map(([code, label]) => ({ code: code as CodeIn<E>, label })),
    /** The label of a code; a code the table does not know is shown as it is, never hidden. */
    label: (code: string) => labels.get(code) ?? code,
    has: (code: unknown): code is CodeIn<E> => typeof code === 'string' && labels.has(code),
  }
}

/**
 * The table of the codes 1 to `last` (spec 3 gives some tables no labels, or not of every code).
 * @param labels those that are known; a code without one is its own
 */
/* @__NO_SIDE_EFFECTS__ */
export function codesUpTo(
  last: number,
  labels: Readonly<Record<number, string>> = {},
  more: Readonly<Record<number, string>> = {},
) {
  const codes = [...Array.from({ length: last }, (_, at) => at + 1), ...Object.keys(more).map(Number)]
  const label = (code: number) => more[code] ?? labels[code] ?? String(code)
  return codeTable(
    Object.fromEntries(codes.map((code) => [`code${code}`, [String(code), label(code)] as const])),
  )
}

/** The codes of a table as a type: `Code<typeof QuickReportType>`. */
export type Code<T extends { options: readonly { code: string }[] }> = T['options'][number]['code']
