import { createContext } from 'react'

/** State of the user's latest generation, as other pages than the form show it. */
export type CreationActivity = 'none' | 'running' | 'ready'

export const CreationActivityContext = createContext<CreationActivity>('none')
