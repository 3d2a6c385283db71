import { useEffect, useEffectEvent, useState } from 'react'

/** Returns what `read` resolves to; null before. It is read again when `subject` changes. */
export function useAnswer<T>(subject: unknown, read: () => Promise<T>): T | null {
  const [answer, setAnswer] = useState<T | null>(null)
  const start = useEffectEvent(read)
  useEffect(() => {
    let isWanted = true
    void start().then((found) => isWanted && setAnswer(() => found))
    return () => {
      isWanted = false
    }
  }, [subject])
  return answer
}
