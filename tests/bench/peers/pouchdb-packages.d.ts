/** The part of PouchDB that is used: its packages bring no types. */
declare module 'pouchdb-browser' {
  interface Feed {
    on(event: 'change', listener: () => void): Feed
  }
  interface Question {
    selector: object
    sort?: string[]
    limit?: number
  }
  export default class PouchDB<Doc extends object> {
    constructor(name: string)
    static plugin(plugin: unknown): void
    bulkDocs(docs: readonly (Doc & { _id: string })[]): Promise<unknown>
    createIndex(options: { index: { fields: string[] } }): Promise<unknown>
    find(question: Question): Promise<{ docs: Doc[] }>
    get(id: string): Promise<Doc & { _id: string; _rev: string }>
    put(doc: Doc & { _id: string; _rev: string }): Promise<unknown>
    changes(options: { since: 'now'; live: true }): Feed
    close(): Promise<void>
  }
}
declare module 'pouchdb-find' {
  const plugin: unknown
  export default plugin
}
