/** From a chain with the demo, by test/v2/support/write-examples.ts. */
export const getLibrariesExamples = [
  {
    title: 'one that is published',
    params: {
      libraries: [
        'n4BhnM92ZwwSbR7biuv45zmJE3gDUJ8jdd7xS5ClqVQ=',
        'abababababababababababababababababababababababababababababababab',
      ],
    },
    varies: true,
    result: {
      '@type': 'smc.libraryResult',
      result: [
        {
          '@type': 'smc.libraryEntry',
          hash: 'n4BhnM92ZwwSbR7biuv45zmJE3gDUJ8jdd7xS5ClqVQ=',
          data: 'te6ccgECCgEAAosAART/APSkE/S88sgLAQIBYgIDA87Q+JGOPdMfMdcsILxqKMyW0z8x+gAwjhHXLCPe7L70kvI/4dM/MfoAMOLtRND6APpI+kjRUCOgyAH6AvpS+lLJ7VTgINcsIHxT9SzjAtcsILxqKMzjAtcsIsr4PeTjAjCEDwHHAPL0BAUGAB2g9gXaiaH0AfSR9JGj8FUB/DHTP/oA+kj6UPQB+gAj+kQw8tFNIMcB8tLE7UTQ+gD6SPpI0fiSIscF8uLBU3K78uLCUSehyCH6AjFSEPpSUiD6UsntVCPAAHFy4wT4k3D4OqgkoIIImJaAoIAOgRkAcPg8oIEbWHD4NqCBIyhw+Dag+Je78uLF+CrIz4QgFwcC+DHtRND6APpI+kjRA9M/+gD6UPpQ+gD4kinHBY4sI27y0Er4KlNJyM+EIBL6UvpSyfiSAsjPhNDMzPkWyM+KAEDL/89QxwXy4ErfUXSgyAH6AlJg+lIY+lLJ7VT4J28Q+JehggiYloC2CXL7AibDAJQ2W2wh4w0hbpFb4w4ICQDgMe1E0PoA+kj6SNED0z/6APpQMPiSJMcF8uLBUxS78uLCUUGhyCH6AjFSMPpSUlD6UsntVPiTcPg6gRV8cPg2oIEVfHD4NqD4l7vy4sXIz5Hvdl96Ess/AfoC+lL6VMnIz4WIEvpScc8LbszJgFD7AACC+lIS+lLJyM+QXjUUZhjLP1AG+gIV+lQS+lQB+gISzsnIz4mIAV3Iz4TQzMz5Fs8L/4EAjc8LdBLMEszMyYBQ+wAAVMjPkc2LQnIkzws/UAP6AvpUFM7JyM+FCBP6UlAE+gJxzwtqzMmAEfsAAQAwyM+FCBL6UoIQ1TJ2288Ljss/yYEAgvsA',
        },
      ],
    },
  },
] as const;
