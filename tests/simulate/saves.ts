/** What people have saved, how one save stands to another, and which of them a call is about. */
import type { HttpCall } from '#sync/transport/http.ts'
import type { Said } from './field-witness.ts'
import { isEntry, sameThing, type Save } from './save.ts'

const NO_CONTENT = { outTime: null, type: null, reason1: null, reason2: null, reportContent: null }

export class Saves {
  private readonly byId = new Map<string, Save>()
  private readonly hearsLateMs: number

  /** @param hearsLateMs so late a tab hears what another one saved */
  constructor(hearsLateMs: number) {
    this.hearsLateMs = hearsLateMs
  }

  get = (id: string) => this.byId.get(id)
  has = (id: string) => this.byId.has(id)
  all = (): Save[] => [...this.byId.values()]
  add = (save: Save) => void this.byId.set(save.change.id, save)

  /** 破棄 of itself, or of the entry it hangs on. */
  isGivenUp = (save: Save): boolean =>
    save.discardAsked ||
    (!isEntry(save) && this.others(save).some((other) => isEntry(other) && other.discardAsked)) ||
    this.others(save).some(
      (other) => other.discardAsked && this.isLater(other, save) && sameThing(other, save),
    )

  /** Another save of the same content came after it, which is still there, or was acknowledged. */
  isReplaced = (save: Save, among?: readonly { id: string }[]): boolean =>
    this.others(save).some(
      (other) =>
        sameThing(other, save) &&
        this.isLater(other, save) &&
        (!among || among.some(({ id }) => id === other.change.id)),
    )

  /** Also where two saves overlap: then their stamps decide which one counts. */
  private isLater = (a: Save, b: Save) =>
    a.call.started > (b.call.confirmed ?? Infinity) || a.change.stamp > b.change.stamp

  others = (save: Save) =>
    [...this.byId.values()].filter(
      (other) => other !== save && other.disk === save.disk && other.key === save.key,
    )

  isWaiting = (save: Save): boolean =>
    !save.acked &&
    !this.isGivenUp(save) &&
    !this.isReplaced(save) &&
    save.disk.quickReports.get(save.key)?.changes.some(({ id }) => id === save.change.id) === true

  /** Which saves a read is about. */
  lookedFor(device: string, { method, url }: HttpCall): Save[] {
    if (method !== 'GET') return []
    const [, what, id = ''] = /\/spa\/(request|quickReport)\/([^?]+)/.exec(url) ?? []
    const isMeant = ({ requestId, disk, key }: Save) =>
      (what === 'request' ? requestId : disk.quickReports.get(key)?.serverId) === decodeURIComponent(id)
    return [...this.byId.values()].filter((save) => save.device === device && isMeant(save))
  }

  /**
   * What a PUT says: what its save has touched, and what earlier ones have that the device does not know to be in the CRM;
   * of these it must say what a tab had heard of when the later one was saved.
   */
  saidBy(saves: readonly Save[]): Said {
    const [last] = saves.toSorted((a, b) => (a.change.stamp > b.change.stamp ? -1 : 1))
    if (!last) return { may: new Set(), must: new Set(), content: NO_CONTENT }
    const earlier = this.others(last).filter((other) => !isEntry(other) && this.isLater(last, other))
    const known = earlier.filter(({ disk, change }) => disk.ledger.get(change.id)?.state === 'accepted')
    const after = known.reduce((stamp, { change }) => (change.stamp > stamp ? change.stamp : stamp), '')
    const open = earlier.filter(({ change }) => change.stamp > after)
    const heard = open.filter((other) => last.call.at - other.call.at >= this.hearsLateMs)
    const fieldsOf = (of: readonly Save[]) => new Set([last, ...of].flatMap(({ call }) => [...call.touched]))
    return { may: fieldsOf(open), must: fieldsOf(heard), content: last.change.fields }
  }

  /** Whose content a call carries. */
  sentIn(device: string, { method, headers, url, body = '' }: HttpCall): Save[] {
    if (method === 'GET' || !url.includes('/quickReport/')) return []
    const key = headers?.['Idempotency-Key']
    const named = key === undefined ? undefined : this.byId.get(key)
    if (named) return [named]
    const { reportContent, quickReports } = JSON.parse(body) as {
      reportContent?: string
      quickReports?: { id: string }[]
    }
    const ids = quickReports?.map(({ id }) => id) ?? [decodeURIComponent(url.split('/').at(-1) ?? '')]
    return [...this.byId.values()].filter(
      ({ change, key: recordKey, disk, device: from }) =>
        from === device &&
        change.fields.reportContent === reportContent &&
        ids.includes(disk.quickReports.get(recordKey)?.serverId ?? ''),
    )
  }
}
