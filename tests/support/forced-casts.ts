/** Casts that say nothing of the value, and where the types of a library leave no other way. */

/** By file, how many. Each has its reason in a comment above it. */
export const forcedCasts: Readonly<Record<string, number>> = {
  // RxDB's collection is invariant in its record
  'src/data/changes/record-views.ts': 1,
  'src/data/database/database.ts': 2,
  'sync/runtime/start-pulls.ts': 1,
  'sync/storage/database.ts': 1,
  // RxDB's own functions for storages
  'src/data/storage/stored-docs.ts': 2,
  'src/data/storage/docs-table.ts': 1,
  // TanStack Form's names of the fields of one form
  'src/form/use-declared-form.tsx': 1,
  'src/form/use-draft-form.ts': 1,
}

const CAST = /\bas unknown as\b|\bas never\b/g
const COMMENT = /^\s*(?:\/\/|\/?\*)/
const LINES_ABOVE = 6

interface Source {
  path: string
  text: string
}

const codeLines = ({ text }: Source) =>
  text.split('\n').map((line, at, all) => ({
    casts: COMMENT.test(line) ? 0 : (line.match(CAST)?.length ?? 0),
    isSaid: all.slice(Math.max(0, at - LINES_ABOVE), at).some((above) => COMMENT.test(above)),
  }))

/** By file, of the product alone. */
export function castsOf(sources: readonly Source[]): { counts: Record<string, number>; unsaid: string[] } {
  const product = sources.filter(
    ({ path }) => /^(?:src|sync|schemas)\//.test(path) && !path.endsWith('.gen.ts'),
  )
  const counts = product.map((source): [string, number] => [
    source.path,
    codeLines(source).reduce((sum, { casts }) => sum + casts, 0),
  ])
  const unsaid = product.filter((source) =>
    codeLines(source).some(({ casts, isSaid }) => casts > 0 && !isSaid),
  )
  return {
    counts: Object.fromEntries(counts.filter(([, count]) => count > 0)),
    unsaid: unsaid.map(({ path }) => path),
  }
}
