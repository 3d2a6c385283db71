/** The realms that pages run in, each with the bundle loaded once: loading costs more than a day in it. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { Script } from 'node:vm'
import type { KeyPort, Page, PagePort } from './page-port.ts'
import { Realm } from './realm.ts'
import type { PhoneKeys } from './sealed-page.ts'

export interface Slot {
  number: number
  realm: Realm
  openPage(port: PagePort): Promise<Page>
  phoneKeys(port: KeyPort): PhoneKeys
  /** So many pages it has had, over all runs: RxDB wants a name only once. */
  opened(): number
}

interface Bundle {
  openPage(port: PagePort): Promise<Page>
  phoneKeys(port: KeyPort): PhoneKeys
  reset(): void
}
type Load = (globals: object) => Bundle

/** What is switched on of the planted defects; null: nothing, and the bundle is the one without them. */
export interface Planted {
  name: string | null
}

export class Slots {
  private readonly load: Load
  private readonly planted: Planted = { name: null }
  private readonly slots = new Map<number, Slot & { bundle: Bundle }>()

  constructor(dir: string, file: string) {
    const path = join(dir, file)
    const script = new Script(readFileSync(path, 'utf8'), { filename: pathToFileURL(path).href })
    this.load = script.runInThisContext() as Load
  }

  /** @param plant the defect of this run */
  begin(plant: string | null): void {
    this.planted.name = plant
    for (const { realm, bundle } of this.slots.values()) {
      realm.reset()
      bundle.reset()
    }
  }

  at(number: number): Slot {
    const known = this.slots.get(number)
    if (known) return known
    const realm = new Realm()
    const bundle = this.load({ ...realm.globals(), __plant: this.planted })
    let opened = 0
    const { openPage, phoneKeys } = bundle
    const slot = { number, realm, bundle, openPage, phoneKeys, opened: () => (opened += 1) }
    this.slots.set(number, slot)
    return slot
  }
}
