/** Sends short messages between the tabs of one browser. A tab does not receive its own messages. */
import { fromEvent, map, type Observable } from 'rxjs'

export interface TabChannel {
  say(word: string): void
  messages$: Observable<string>
  close(): void
}

export function createTabChannel(name: string): TabChannel {
  const channel = new BroadcastChannel(name)
  return {
    say: (word) => channel.postMessage(word),
    messages$: fromEvent<MessageEvent>(channel, 'message').pipe(map(({ data }) => String(data))),
    close: () => channel.close(),
  }
}
