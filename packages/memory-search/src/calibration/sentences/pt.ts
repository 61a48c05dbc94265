import type { SentenceTriple } from './sentence-triple.js'

/** Portuguese. */
export const pt: readonly SentenceTriple[] = [
  {
    fact: 'A Beatriz tem alergia a camarão e evita restaurantes de marisco.',
    paraphrase: 'Que alergia tem a Beatriz, para não comer camarão?',
    nearMiss: 'O Tiago tem intolerância ao glúten e evita o pão da padaria.',
  },
  {
    fact: 'A consulta do Miguel com a dermatologista é no dia 18 de março.',
    paraphrase: 'Em que dia de março o Miguel vai à dermatologista?',
    nearMiss: 'A consulta da Rita com o ortopedista é no dia 5 de setembro.',
  },
  {
    fact: 'O contrato CT-9046 termina em dezembro e não vai ser renovado.',
    paraphrase: 'Não vamos renovar o contrato CT-9046 quando acabar em dezembro.',
    nearMiss: 'O contrato CT-1177 começa em janeiro e dura três anos.',
  },
  {
    fact: 'O meu primo Duarte estuda medicina em Coimbra.',
    paraphrase: 'Onde estuda medicina o meu primo Duarte?',
    nearMiss: 'A minha sobrinha Inês estuda direito em Lisboa.',
  },
  {
    fact: 'A bicicleta vermelha está guardada na arrecadação do segundo andar.',
    paraphrase: 'Guardámos a bicicleta vermelha na arrecadação, no segundo andar.',
    nearMiss: 'A prancha de surf está guardada na garagem dos pais do Rui.',
  },
  {
    fact: 'Os dados do projeto Garça são copiados todas as noites para o servidor do Porto.',
    paraphrase: 'Para onde são copiados os dados do projeto Garça durante a noite?',
    nearMiss: 'As fotografias do projeto Falcão são apagadas todos os meses do servidor de Faro.',
  },
  {
    fact: 'Em outubro vamos aos Açores ver baleias com a família Nunes.',
    paraphrase: 'Vamos ver baleias nos Açores em outubro, na companhia da família Nunes.',
    nearMiss: 'Em fevereiro vamos à Madeira ver o Carnaval com os Teixeira.',
  },
  {
    fact: 'Gosto de ouvir fado quando cozinho, mas nunca enquanto trabalho.',
    paraphrase: 'Quando é que gosto de ouvir fado?',
    nearMiss: 'O meu irmão gosta de ouvir metal quando conduz, mas nunca em casa.',
  },
]
