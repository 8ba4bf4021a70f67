import type { Drawing } from '../color.ts'
import { petal } from '../shapes.ts'
import { circle, dots, ellipse, mirrored, parsePoints, path, place } from '../svg.ts'

export const animals = {
  /** An elephant with its saddlecloth, trunk raised to the right. */
  elephant({ primary, secondary, tertiary, stroke }) {
    return (
      path(
        'M-42 44V2C-42 -24 -22 -34 2 -32C14 -40 32 -36 35 -22C39 -8 36 6 42 4C46 2 44 -10 48 -12C52 8 46 20 36 18C30 16 28 8 26 6C22 12 20 16 18 18V44H4V24H-24V44Z',
        { fill: primary.base, stroke, width: 2.4 },
      ) +
      path('M-30 -28C-22 -33 -10 -34 -2 -32C2 -18 2 -4 -2 8H-26C-32 -2 -33 -16 -30 -28Z', {
        fill: secondary.base,
        stroke,
        width: 2.2,
      }) +
      dots(parsePoints('-24,2 -14,2 -5,2'), 2.2, stroke) +
      place(path(petal(0, 22, 14, 'lotus'), { fill: tertiary.light }), { x: -15, y: -3 }) +
      path('M6 -28C22 -30 24 -8 14 2C6 -2 2 -16 6 -28Z', { fill: primary.deep, stroke, width: 2 }) +
      path('M27 2C32 10 38 12 42 9', { stroke, width: 3 }) +
      circle(27, -19, 2.6, { fill: stroke }) +
      path('M-42 2C-49 10 -47 22 -49 26', { stroke, width: 2.4 }) +
      dots(parsePoints('-38,40 -30,40 8,40 14,40'), 1.8, stroke)
    )
  },

  /** A tiger's face. */
  tiger({ primary, secondary, tertiary, flame, stroke }) {
    return (
      mirrored(
        path('M14 -34C20 -48 38 -50 42 -40C44 -30 38 -18 32 -14Z', {
          fill: primary.deep,
          stroke,
          width: 2.2,
        }),
      ) +
      path('M0 -40C34 -40 46 -14 42 8C38 32 18 46 0 46C-18 46 -38 32 -42 8C-46 -14 -34 -40 0 -40Z', {
        fill: primary.base,
        stroke,
        width: 2.4,
      }) +
      mirrored(
        path('M42 -6L28 -4L42 4ZM41 14L28 14L37 22ZM6 -39L10 -24L15 -37Z', { fill: tertiary.deep }) +
          ellipse(17, -6, 8, 6.5, { fill: flame.light, stroke, width: 2 }) +
          circle(17, -6, 3.2, { fill: tertiary.deep }) +
          path('M0 22C4 32 14 32 18 26M16 18L36 14M16 22L35 25', { stroke, width: 1.9 }),
      ) +
      path('M0 -39L4 -22L0 -16L-4 -22Z', { fill: tertiary.deep }) +
      path('M-9 10Q0 5 9 10L0 22Z', { fill: secondary.base, stroke, width: 1.8 })
    )
  },

  /** A cow's face, garlanded, between its horns. */
  cow({ primary, secondary, tertiary, flame, stroke }) {
    return (
      mirrored(
        path('M14 -26C34 -28 40 -38 34 -49C50 -40 46 -14 20 -12Z', { fill: flame.light, stroke, width: 2 }) +
          path('M22 -12C32 -20 46 -16 48 -4C40 4 28 4 22 0Z', { fill: primary.deep, stroke, width: 2 }),
      ) +
      path('M-22 -22C-16 -32 16 -32 22 -22C28 0 20 14 18 30C16 46 -16 46 -18 30C-20 14 -28 0 -22 -22Z', {
        fill: primary.light,
        stroke,
        width: 2.4,
      }) +
      ellipse(0, 32, 17, 11, { fill: secondary.base, stroke, width: 2 }) +
      mirrored(
        ellipse(13, -4, 5, 6, { fill: tertiary.deep }) + ellipse(7, 32, 2.4, 3.4, { fill: tertiary.deep }),
      ) +
      place(path(petal(0, 22, 14, 'lotus'), { fill: secondary.base, stroke, width: 1.6 }), { y: -4 }) +
      dots(parsePoints('-14,-27 -7,-30 0,-31 7,-30 14,-27'), 3, flame.base)
    )
  },

  /** Ganesha's face: the crown, the ears, the turned trunk. */
  ganesha({ primary, secondary, flame, stroke }) {
    return (
      mirrored(
        path('M20 -14C34 -26 50 -16 48 2C46 16 36 22 24 16Z', { fill: primary.deep, stroke, width: 2.2 }) +
          path('M28 -6C36 -12 42 -4 40 4C38 10 32 10 28 8Z', { fill: secondary.base }),
      ) +
      path('M-20 -24L-24 -38L-12 -32L0 -49L12 -32L24 -38L20 -24Z', { fill: flame.base, stroke, width: 2.2 }) +
      path(
        'M-25 -16C-20 -28 20 -28 25 -16C28 2 20 10 12 16C12 30 6 34 8 42C4 48 -14 46 -14 36C-14 28 -4 30 -4 36C-6 26 -10 24 -12 16C-20 10 -28 2 -25 -16Z',
        { fill: primary.base, stroke, width: 2.4 },
      ) +
      mirrored(
        path('M7 -4Q13 -9 19 -4Q13 0 7 -4Z', { fill: stroke }) +
          path('M12 14C16 18 20 24 26 24C24 16 20 12 15 11Z', { fill: primary.light, stroke, width: 1.5 }),
      ) +
      path('M-7 -21H7M-6 -17H6M-4 -13H4', { stroke, width: 2 }) +
      path('M-7 14H7M-7 20H7M-5 26H6', { stroke: primary.light, width: 1.8 }) +
      dots(parsePoints('0,-29 -12,-29 12,-29'), 2.8, secondary.base)
    )
  },

  /** A parrot-like bird, beak to the right. */
  bird({ primary, secondary, tertiary, flame, stroke, background }) {
    return (
      path('M-14 12C-26 22 -38 40 -46 46C-30 46 -12 36 2 24Z', { fill: secondary.base, stroke, width: 2 }) +
      path('M-24 18C-34 8 -14 -18 2 -22C2 -42 30 -46 38 -26L48 -18L36 -14C36 14 12 32 -24 18Z', {
        fill: primary.base,
        stroke,
        width: 2.2,
      }) +
      path('M-22 14C-24 -6 0 -16 18 -10C20 8 2 22 -22 14Z', { fill: tertiary.base, stroke, width: 2 }) +
      path('M-14 10C-10 0 0 -6 10 -5M-6 13C-2 6 4 3 11 3', { stroke: tertiary.light, width: 2 }) +
      path('M35 -27L49 -18L36 -14Z', { fill: flame.base, stroke, width: 1.6 }) +
      path('M22 -40C20 -48 26 -50 28 -46', { stroke, width: 2.2 }) +
      circle(26, -27, 4.4, { fill: stroke }) +
      circle(26.5, -27, 1.9, { fill: background })
    )
  },

  /** A peacock, head to the right, its train behind it. */
  peacock({ primary, secondary, tertiary, leaf, flame, stroke }) {
    const eye = (x: number, y: number) =>
      ellipse(x, y, 7, 8, { fill: secondary.base, stroke, width: 1.5 }) +
      circle(x, y + 1, 3.4, { fill: primary.deep })
    return (
      path('M2 34C-30 48 -50 24 -48 -8C-46 -38 -24 -50 -10 -44C-20 -30 -6 -4 14 12Z', {
        fill: leaf.base,
        stroke,
        width: 2.2,
      }) +
      eye(-22, -34) +
      eye(-38, -16) +
      eye(-38, 6) +
      eye(-28, 24) +
      eye(-22, -8) +
      path(
        'M-10 30C-4 6 10 4 14 -14C16 -34 30 -40 37 -31L49 -25L37 -22C34 -10 40 14 24 30C14 39 -2 40 -10 30Z',
        { fill: primary.base, stroke, width: 2.2 },
      ) +
      path('M-2 28C4 14 16 12 24 16C24 28 10 34 -2 28Z', { fill: tertiary.base, stroke, width: 1.8 }) +
      path('M27 -36L22 -47M29 -37L29 -49M32 -36L36 -47', { stroke, width: 1.8 }) +
      dots(parsePoints('22,-48 29,-49 36,-48'), 2.6, flame.light) +
      circle(31, -28, 3, { fill: stroke }) +
      path('M6 38V48M16 36V48', { stroke, width: 2 })
    )
  },

  /** A peacock's tail feather with its eye. */
  feather({ primary, secondary, leaf, flame, stroke }) {
    return (
      path(petal(-48, 48, 56, 'drop'), { fill: leaf.base, stroke, width: 2 }) +
      mirrored(path('M0 40L9 26M0 30L13 12M0 20L18 0M0 10L22 -10', { stroke: leaf.light, width: 1.8 })) +
      path('M0 47V-4', { stroke: flame.light, width: 2.2 }) +
      ellipse(0, -20, 21, 23, { fill: flame.base, stroke, width: 1.6 }) +
      ellipse(0, -19, 15, 17, { fill: secondary.base }) +
      path('M0 -3C-13 -5 -13 -24 -5 -29C-3 -31 -1 -29 0 -26C1 -29 3 -31 5 -29C13 -24 13 -5 0 -3Z', {
        fill: primary.deep,
      }) +
      circle(0, -14, 3.2, { fill: secondary.light })
    )
  },

  /** An owl that looks straight ahead. */
  owl({ primary, secondary, flame, stroke, background }) {
    const eye = (x: number) =>
      circle(x, -18, 13, { fill: primary.light, stroke, width: 2 }) +
      circle(x, -18, 6, { fill: flame.base }) +
      circle(x, -18, 3, { fill: background })
    return (
      path(
        'M-32 -46C-24 -40 24 -40 32 -46C36 -30 38 -16 36 4C34 34 18 46 0 46C-18 46 -34 34 -36 4C-38 -16 -36 -30 -32 -46Z',
        { fill: primary.base, stroke, width: 2.4 },
      ) +
      mirrored(path('M35 0C20 6 16 24 18 38C30 30 36 18 35 0Z', { fill: secondary.base, stroke, width: 2 })) +
      path('M-12 8Q-6 14 0 8Q6 14 12 8M-12 18Q-6 24 0 18Q6 24 12 18M-10 28Q-5 33 0 28Q5 33 10 28', {
        stroke: primary.light,
        width: 2,
      }) +
      eye(-14) +
      eye(14) +
      path('M0 -16L5 -6L0 2L-5 -6Z', { fill: flame.base, stroke, width: 1.4 })
    )
  },

  /** A butterfly with its wings open. */
  butterfly({ primary, secondary, tertiary, stroke }) {
    return (
      mirrored(
        path('M2 4C10 -34 34 -48 46 -38C50 -14 32 4 2 4Z', { fill: primary.base, stroke, width: 2.2 }) +
          path('M2 6C26 4 40 18 34 36C22 46 8 32 2 6Z', { fill: secondary.base, stroke, width: 2.2 }) +
          place(path(petal(0, 26, 15, 'drop'), { fill: tertiary.light }), { x: 12, y: -6, angle: 48 }) +
          circle(21, 22, 6.5, { fill: primary.light, stroke, width: 1.4 }) +
          path('M1 -18C6 -32 10 -40 17 -46', { stroke, width: 2 }) +
          dots(parsePoints('38,-32 42,-22 17,-47'), 2.2, stroke),
      ) + ellipse(0, 4, 4.6, 25, { fill: tertiary.deep, stroke, width: 1.8 })
    )
  },

  /** A house cat's face with its whiskers and a bell. */
  cat({ primary, secondary, tertiary, flame, stroke }) {
    return (
      path(
        'M-35 -48C-30 -40 -24 -34 -15 -31C-6 -34 6 -34 15 -31C24 -34 30 -40 35 -48C43 -32 45 -10 42 4C38 26 20 36 0 36C-20 36 -38 26 -42 4C-45 -10 -43 -32 -35 -48Z',
        { fill: primary.base, stroke, width: 2.4 },
      ) +
      mirrored(
        path('M33 -38C37 -29 38 -21 37 -14C32 -20 27 -24 22 -27C27 -30 30 -33 33 -38Z', {
          fill: secondary.base,
          stroke,
          width: 1.6,
        }) +
          path('M6 -5Q17 -18 29 -6Q18 5 6 -5Z', { fill: flame.light, stroke, width: 1.8 }) +
          ellipse(17.5, -6, 2.6, 5.4, { fill: tertiary.deep }) +
          path('M0 15C2 22 10 22 13 17', { stroke: tertiary.deep, width: 2.2 }) +
          path('M22 10L47 4M22 14L48 15M21 18L45 26', { stroke, width: 1.7 }),
      ) +
      path('M0 -31V-18M-8 -30L-6 -21M8 -30L6 -21', { stroke: primary.deep, width: 3.4 }) +
      path('M-6 8H6L0 15Z', { fill: secondary.base, stroke, width: 1.7 }) +
      path('M-24 34C-12 43 12 43 24 34', { stroke: tertiary.base, width: 5 }) +
      circle(0, 43, 5.4, { fill: flame.base, stroke, width: 1.6 })
    )
  },

  /** A dog's face with hanging ears. */
  dog({ primary, secondary, tertiary, stroke }) {
    return (
      path(
        'M0 -42C19 -42 30 -31 31 -12C31 0 26 8 24 18C21 36 13 46 0 46C-13 46 -21 36 -24 18C-26 8 -31 0 -31 -12C-30 -31 -19 -42 0 -42Z',
        { fill: primary.base, stroke, width: 2.4 },
      ) +
      path(
        'M0 -41C6 -26 5 -12 8 -3C18 4 22 16 20 26C17 38 10 43 0 43C-10 43 -17 38 -20 26C-22 16 -18 4 -8 -3C-5 -12 -6 -26 0 -41Z',
        { fill: primary.light },
      ) +
      mirrored(
        path('M15 -40C32 -46 48 -30 48 -4C48 14 39 22 33 13C29 2 27 -12 22 -22C19 -28 16 -32 15 -40Z', {
          fill: primary.deep,
          stroke,
          width: 2.2,
        }) +
          circle(14, -12, 5, { fill: tertiary.deep, stroke, width: 1.4 }) +
          circle(15.2, -13.4, 1.7, { fill: primary.light }) +
          path('M8 -23Q14 -27 20 -22', { stroke: tertiary.deep, width: 2.2 }) +
          path('M0 19V23C3 31 13 31 16 24', { stroke: tertiary.deep, width: 2.2 }),
      ) +
      path('M-6 28C-6 41 6 41 6 28Q0 31 -6 28Z', { fill: secondary.base, stroke, width: 1.6 }) +
      path('M-10 9C-10 4 10 4 10 9C10 14 4 19 0 19C-4 19 -10 14 -10 9Z', {
        fill: tertiary.deep,
        stroke,
        width: 1.8,
      })
    )
  },

  /** A fox's face. */
  fox({ primary, tertiary, flame, stroke }) {
    return (
      path(
        'M-42 -48C-36 -40 -27 -33 -18 -29C-8 -33 8 -33 18 -29C27 -33 36 -40 42 -48C47 -32 47 -12 42 2C32 10 18 24 0 47C-18 24 -32 10 -42 2C-47 -12 -47 -32 -42 -48Z',
        { fill: primary.base, stroke, width: 2.4 },
      ) +
      mirrored(
        path('M40 3C28 -3 13 0 7 15C5 24 3 34 1 43C14 26 28 12 40 3Z', {
          fill: primary.light,
          stroke,
          width: 1.6,
        }) +
          path('M39 -37C41 -29 41 -21 39 -13C35 -20 30 -24 25 -27C31 -30 36 -33 39 -37Z', {
            fill: primary.deep,
            stroke,
            width: 1.6,
          }) +
          path('M8 -3Q16 -15 28 -11Q22 1 8 -3Z', { fill: flame.light, stroke, width: 1.7 }) +
          circle(18, -7, 3, { fill: tertiary.deep }) +
          path('M24 11L33 8M20 17L29 15', { stroke: tertiary.deep, width: 1.6 }),
      ) +
      path('M0 -31C5 -22 4 -10 0 0C-4 -10 -5 -22 0 -31Z', { fill: primary.light }) +
      path('M-7 37C-7 33 7 33 7 37C7 41 3 46 0 47C-3 46 -7 41 -7 37Z', {
        fill: tertiary.deep,
        stroke,
        width: 1.6,
      })
    )
  },

  /** A horse's head, bridled, to the right. */
  horse({ primary, secondary, tertiary, flame, stroke }) {
    return (
      path('M-2 -39C-30 -42 -50 -8 -47 34C-42 30 -39 24 -37 18C-38 28 -38 38 -36 46C-30 20 -22 -6 0 -22Z', {
        fill: secondary.base,
        stroke,
        width: 2,
      }) +
      path(
        'M-35 48C-36 12 -28 -22 -7 -35L-5 -49L6 -39C16 -37 22 -31 27 -20L44 3C49 10 46 20 38 21C32 22 29 16 23 14C15 15 9 14 5 11C8 25 21 32 25 48Z',
        { fill: primary.base, stroke, width: 2.4 },
      ) +
      path('M6 -39C-4 -34 0 -24 10 -22C4 -28 6 -34 16 -34Z', { fill: secondary.base, stroke, width: 1.6 }) +
      path('M25 -23L13 13M35 -9L25 14M31 -16L20 -4L5 11', { stroke: flame.base, width: 2.8 }) +
      path('M19 -3C4 16 -12 22 -30 20', { stroke: flame.base, width: 2.4 }) +
      path('M-34 34C-18 42 6 43 23 38', { stroke: tertiary.base, width: 4.6 }) +
      dots(parsePoints('-26,38 -14,41 -2,42 10,41'), 2, stroke) +
      circle(13, -19, 4, { fill: tertiary.deep, stroke, width: 1.4 }) +
      circle(14, -20, 1.4, { fill: primary.light }) +
      circle(40, 9, 2, { fill: primary.deep }) +
      path('M-24 -10C-20 -20 -14 -27 -7 -31', { stroke: secondary.light, width: 2 })
    )
  },
} satisfies Record<string, Drawing>
