/** Messages between the tabs of one browser; a tab does not receive its own. */
import { fromEvent, map, type Observable } from 'rxjs'

export interface TabChannel {
  say(word: string): void
  messages$: Observable<string>
  close(): void
}

/** Opens a channel. */
export function createTabChannel(name: string): TabChannel {
  const channel = new BroadcastChannel(name)
  return {
    say: (word) => channel.postMessage(word),
    messages$: fromEvent<MessageEvent>(channel, 'message').pipe(map(({ data }) => String(data))),
    close: () => channel.close(),
  }
}
