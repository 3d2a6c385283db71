/** The files of what phones have stored, one for each layout of the collections there ever was (`stored-layouts.ts`). */
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { StorageDump } from './storage-dump.ts'

const FOLDER = join(import.meta.dirname, '../sync/fixtures')
const NAME = /^layout-(\d+)\.json$/
export interface StoredFile {
  /** From 0, in the order in which they were. */
  number: number
  text: string
}

export const storedFiles = (): StoredFile[] =>
  readdirSync(FOLDER)
    .flatMap((file) => {
      const [, number] = NAME.exec(file) ?? []
      return number ? { number: Number(number), text: readFileSync(join(FOLDER, file), 'utf8') } : []
    })
    .toSorted((a, b) => a.number - b.number)

export const fileOfLayout = (number: number) => join(FOLDER, `layout-${number}.json`)

interface CollectionDoc {
  context: string
  data: { name: string; version: number; schema: object }
}

/** The schema of each collection as RxDB stored it. */
export function schemasIn({ text }: StoredFile): Map<string, CollectionDoc['data']> {
  const internal = (JSON.parse(text) as StorageDump).find(({ name }) => name.endsWith('_rxdb_internal'))
  const docs = internal?.stores.find(({ name }) => name === 'docs')?.rows ?? []
  const collections = docs
    .map(({ value }) => value as CollectionDoc)
    .filter(({ context }) => context === 'collection')
  return new Map(collections.map(({ data }) => [data.name, data]))
}
