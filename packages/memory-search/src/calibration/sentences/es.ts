import type { SentenceTriple } from './sentence-triple.js'

/** Spanish. */
export const es: readonly SentenceTriple[] = [
  {
    fact: 'Lucía es celíaca y solo come pan sin gluten.',
    paraphrase: '¿Qué tipo de pan puede comer Lucía, que es celíaca?',
    nearMiss: 'Andrés es vegetariano y solo toma leche de soja.',
  },
  {
    fact: 'La reunión con el arquitecto pasó al martes 9 a las cinco de la tarde.',
    paraphrase: '¿Cuándo es la reunión con el arquitecto, el martes 9?',
    nearMiss: 'La reunión con la abogada pasó al viernes 26 a las diez de la mañana.',
  },
  {
    fact: 'El pedido PD-5518 llegó roto y pedimos el reembolso.',
    paraphrase: 'Hemos reclamado el dinero del pedido PD-5518 porque llegó roto.',
    nearMiss: 'El pedido PD-8120 llegó a tiempo y lo recogió el vecino.',
  },
  {
    fact: 'Mi tía Carmen vive en Valparaíso y cumple setenta años en mayo.',
    paraphrase: '¿En qué mes cumple setenta mi tía Carmen, la de Valparaíso?',
    nearMiss: 'Mi abuelo Ramón vive en Oviedo y cumple noventa años en enero.',
  },
  {
    fact: 'Los informes del cliente Montalbán se entregan siempre en PDF.',
    paraphrase: 'Al cliente Montalbán hay que darle los informes en PDF.',
    nearMiss: 'Los albaranes del proveedor Quiroga llegan siempre por correo postal.',
  },
  {
    fact: 'Diego corre todas las mañanas por el parque y prepara una maratón en Sevilla.',
    paraphrase: '¿Para qué maratón entrena Diego en el parque por las mañanas?',
    nearMiss: 'Elena nada todas las tardes en la piscina y prepara una travesía en Mallorca.',
  },
  {
    fact: 'El coche azul está en el taller hasta el jueves por un fallo en los frenos.',
    paraphrase: 'Hasta el jueves no tendremos el coche: en el taller le arreglan los frenos.',
    nearMiss: 'La moto vieja está en el garaje desde el lunes por un pinchazo.',
  },
  {
    fact: 'Prefiero volar de noche y en asiento de pasillo.',
    paraphrase: '¿Qué asiento prefiero al volar, pasillo o ventanilla?',
    nearMiss: 'Mi jefe prefiere viajar en tren y en primera clase.',
  },
]
