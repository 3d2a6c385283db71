/** Brings a support file under its size: of what is longest the oldest half goes first, and is counted. */
import { SUPPORT_MAX, type SupportFile } from '#schemas/support-file.ts'

/** They are cut in this order of worth where they are equally long; the queue last. */
const LISTS = ['measured', 'calls', 'moves', 'errors', 'queue'] as const
const CONTENTS = ['errors', 'records', 'ledger', 'drafts'] as const

/** The text of the file, at most so many bytes. */
export function textOf(file: SupportFile, most = SUPPORT_MAX): string {
  let next = file
  for (;;) {
    const text = `${JSON.stringify(next, null, 1)}\n`
    if (new TextEncoder().encode(text).length <= most) return text
    const shorter = halved(next)
    if (shorter === null) return text
    next = shorter
  }
}

interface Place {
  name: string
  list: readonly unknown[]
  put(list: unknown[]): SupportFile
}

/** @returns null where there is nothing left to leave out */
function halved(file: SupportFile): SupportFile | null {
  const { contents } = file
  const places: Place[] = LISTS.map((name) => ({
    name,
    list: file[name],
    put: (list) => ({ ...file, [name]: list }),
  }))
  if (contents)
    for (const name of CONTENTS)
      places.push({
        name: `contents.${name}`,
        list: contents[name],
        put: (list) => ({ ...file, contents: { ...contents, [name]: list } }),
      })
  const sized = places.map((place) => ({ place, size: JSON.stringify(place.list).length }))
  const [longest] = sized.filter(({ place }) => place.list.length > 0).toSorted((a, b) => b.size - a.size)
  if (!longest) return null
  const { place } = longest
  const gone = Math.ceil(place.list.length / 2)
  const cut = place.put(place.list.slice(gone))
  return { ...cut, leftOut: { ...file.leftOut, [place.name]: (file.leftOut[place.name] ?? 0) + gone } }
}
