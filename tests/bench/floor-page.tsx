/** The floor of a cold start: a page of the same service worker that renders 20 static cards with react-dom. */
import { useEffect } from 'react'
import { createRoot } from 'react-dom/client'

const CARDS = 20

function Cards() {
  useEffect(() => {
    // the same moment as the app's `app:first-rows`: a task after the frame
    requestAnimationFrame(() => setTimeout(() => performance.measure('floor:rows', { start: 0 }), 0))
  }, [])
  return Array.from({ length: CARDS }, (_, i) => (
    <article key={i}>
      <h2>ベイサイド東雲 {i}号棟 地下ピット</h2>
      <p>R26-{String(i).padStart(6, '0')}　09:00〜10:00　修理</p>
    </article>
  ))
}

createRoot(document.body.appendChild(document.createElement('div'))).render(<Cards />)
