/** Deliberate defects of the sending of photos: see `defects.ts`. */
import type { PhotoStore } from '#sync/photos/photo-store.ts'
import type { SendParts } from '#sync/photos/send-photo.ts'
import type { Defect, Planted } from './defect.ts'
import { toldFolder } from './photo-folders-told.ts'

const storing = (change: (store: PhotoStore) => Partial<PhotoStore>): Required<Pick<Defect, 'photos'>> => {
  const wrapped = (store: PhotoStore): PhotoStore => ({
    ...store,
    ...change(store),
    within: (hold) => wrapped(store.within(hold)),
  })
  return { photos: (work) => ({ ...work, store: wrapped(work.store) }) }
}

const working = (change: (work: SendParts) => Partial<SendParts>): Defect => ({
  photos: (work) => ({ ...work, ...change(work) }),
})

const kept = new WeakMap<object, string>()

export const photoDefects: readonly Planted[] = [
  {
    name: 'photos: wrong folder',
    defect: working(({ parents, store }) => ({
      parents: {
        async folderOf(resource, recordKey) {
          // the one that was taken last says where all of them go
          const own = await parents.folderOf(resource, recordKey)
          const last = (await store.unsent()).at(-1)
          const folder = last ? await parents.folderOf(resource, last.recordKey) : own
          return folder.kind === 'folder' || folder.kind === 'make' ? folder : own
        },
      },
    })),
  },
  {
    name: 'photos: an upload is not read back',
    defect: working(({ files }) => ({
      files: { ...files, files: async () => ({ kind: 'accepted', value: [] }) },
    })),
  },
  {
    name: 'photos: "sending" is not written before an upload',
    defect: storing(() => ({ begin: async () => true })),
  },
  {
    name: 'photos: "accepted" is not written',
    slow: true,
    defect: storing((store) => ({
      put: async (items, event, facts) => (event === 'accepted' ? undefined : store.put(items, event, facts)),
    })),
  },
  {
    name: 'photos: bytes are released before the upload is accepted',
    defect: storing((store) => ({
      async begin(items, payload) {
        const mayGo = await store.begin(items, payload)
        if (mayGo) for (const { record } of items) await store.bytes.release(record.key)
        return mayGo
      },
    })),
  },
  {
    name: 'photos: a photo goes before its record',
    defect: working(({ parents, store }) => ({
      parents: {
        async folderOf(resource, recordKey) {
          const folder = await parents.folderOf(resource, recordKey)
          const [photo] = await store.ofRecord(resource, recordKey)
          if (folder.kind !== 'wait' || !photo) return folder
          const told = toldFolder(photo.requestId)
          return 'filePath' in told
            ? { kind: 'folder', id: told.filePath }
            : { kind: 'make', parentId: told.noteLocationFolderId, name: told.name }
        },
      },
    })),
  },
  {
    name: 'photos: a photo whose folder nobody names waits for ever',
    slow: true,
    defect: working(({ parents }) => ({
      parents: {
        async folderOf(resource, recordKey) {
          const folder = await parents.folderOf(resource, recordKey)
          return folder.kind === 'unnamed' ? { kind: 'wait' } : folder
        },
      },
    })),
  },
  {
    name: 'photos: a photo whose record is gone goes with it',
    slow: true,
    defect: working(({ parents, store }) => ({
      parents: {
        async folderOf(resource, recordKey) {
          const folder = await parents.folderOf(resource, recordKey)
          if (folder.kind === 'no-record')
            for (const { key } of await store.ofRecord(resource, recordKey)) await store.remove(key)
          return folder
        },
      },
    })),
  },
  {
    name: "photos: no lock around a folder's making",
    slow: true,
    defect: working(({ files }) => ({
      folders: { folderFor: (parentId, name) => files.makeFolder(parentId, name), forget: () => undefined },
    })),
  },
  {
    name: 'photos: a deleted photo is sent',
    slow: true,
    defect: storing((store) => ({
      async photo(key) {
        const photo = await store.photo(key)
        return photo && photo.fileSeq === '' ? { ...photo, wanted: 'kept' } : photo
      },
      async begin(items, payload) {
        await store.put(items, 'began', { payload })
        return true
      },
    })),
  },
  {
    name: "photos: another user's token",
    slow: true,
    defect: {
      // kept for the phone, not for the user; a new one is taken where it has ended
      fileToken: (token, { phone }) => ({
        authorized: (send) =>
          token.authorized(async (own) => {
            const known = kept.get(phone) ?? own
            const answer = await send(known)
            kept.set(phone, answer.kind === 'answer' && answer.status === 401 ? own : known)
            return answer
          }),
      }),
    },
  },
  {
    name: 'photos: records wait until a photo that was begun is there',
    slow: true,
    defect: {
      store: (store, { sleep, photos }) => ({
        ...store,
        async records(places) {
          const isBegun = () =>
            photos().some(({ unsent, state }) => unsent === 'yes' && !['refused', 'expired'].includes(state))
          while (isBegun()) await sleep(1_000)
          return store.records(places)
        },
      }),
    },
  },
  {
    name: 'photos: settling writes the photo as it was before the upload',
    slow: true,
    defect: {
      photos(work) {
        const names = new Map<string, string>()
        return storing((store) => ({
          async photo(key) {
            const photo = await store.photo(key)
            if (photo) names.set(key, photo.name)
            return photo
          },
          async put(items, event, facts) {
            await store.put(items, event, facts)
            if (event !== 'accepted') return
            for (const { record } of items)
              await store.modify(record.key, (latest) => ({
                ...latest,
                name: names.get(record.key) ?? latest.name,
              }))
          },
        })).photos(work)
      },
    },
  },
  {
    name: 'photos: 破棄 of an upload in doubt does not look for it',
    slow: true,
    defect: storing((store) => ({
      async sendFacts(ids) {
        const rows = await store.sendFacts(ids)
        const blind = [...rows].map(([id, row]) => {
          const isBlind = row.wish === 'discard' && row.state === 'unknown'
          return [id, isBlind ? { ...row, state: 'waiting' as const } : row] as const
        })
        return new Map(blind)
      },
    })),
  },
  {
    name: 'while a photo is in doubt, no other goes',
    slow: true,
    defect: {
      photos: (work) => ({
        ...work,
        store: {
          ...work.store,
          async unsent() {
            const unsent = await work.store.unsent()
            const doubted = unsent.filter(({ state }) => state === 'unknown')
            return doubted.length > 0 ? doubted : unsent
          },
        },
      }),
    },
  },
]
