/** How long shared photos wait, and how long somebody who has signed out still receives them (decisions/session). */
import type { ReceivedStore } from './received-store.ts'

/**
 * Whether a user who is not signed in may still be sent photos, or has some waiting: then their key stays. The first
 * call notes the logout; what is certainly a day old is removed.
 * @param until what is older has expired, epoch ms
 */
export async function stillReceives(
  store: ReceivedStore,
  user: string,
  { now, until }: { now: number; until: number },
): Promise<boolean> {
  const own = (await store.receivers()).find((each) => each.user === user)
  if (!own) return false
  const { leftAt = now } = own
  if (own.leftAt === undefined) await store.setReceiver({ ...own, leftAt })
  if (leftAt >= until || (await store.waiting()).some((photo) => photo.user === user)) return true
  await store.removeReceiver(user)
  return false
}

/** Removes photos, of every user, that nobody took within a day. @param until as for `stillReceives` */
export async function expireReceived(store: ReceivedStore, until: number): Promise<void> {
  const old = (await store.waiting()).filter(({ at }) => at < until)
  if (old.length > 0) await store.remove(old.map(({ id }) => id))
}

/** Removes the key pairs of these users and what waits for them, because the device is used with another CRM. */
export async function forgetReceived(
  store: ReceivedStore,
  isForgotten: (user: string) => boolean,
): Promise<void> {
  const photos = (await store.waiting()).filter(({ user }) => isForgotten(user))
  await store.remove(photos.map(({ id }) => id))
  for (const { user } of await store.receivers()) if (isForgotten(user)) await store.removeReceiver(user)
}
