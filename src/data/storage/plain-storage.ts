/** RxDB's own Dexie storage, for a version of RxDB that was not tested. Loaded only then. */
import { getRxStorageDexie } from 'rxdb/plugins/storage-dexie'

export const plainStorage = getRxStorageDexie
