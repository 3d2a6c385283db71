import { StrictMode } from 'react'
import { createRoot } from 'react-dom/client'
import { start } from '#app/start.tsx'

const root = document.getElementById('root')
if (!root) throw new Error('#root is missing')
const app = await start(root)
createRoot(root).render(<StrictMode>{app}</StrictMode>)
